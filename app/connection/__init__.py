"""What keeps connections to the settings: slow or too many ones, and answers that nobody reads."""
