"""What a line does to one cell, said in index letters: `dW2[i,j] = Σ_k h[k,i] · dlogits[k,j]`."""
