//! Real pages in a real Chromium. What they ask for comes from memory; what they reach past it is counted by listeners.

mod attacks;
mod kills;
mod many;
mod pages;
mod support;
