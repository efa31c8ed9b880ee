//! Asks a model for a review.
