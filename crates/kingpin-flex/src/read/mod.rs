//! Meshes and matrices from texts of other programs.
