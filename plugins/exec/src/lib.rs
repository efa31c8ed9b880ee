//! Asks any program that you name for a review.
