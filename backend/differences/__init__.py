"""The third oracle: slopes from the values of the loss alone, by central differences."""
