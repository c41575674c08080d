"""Order-preserving encodings: cell shapes, NumPy kernels and the choice of backend."""
