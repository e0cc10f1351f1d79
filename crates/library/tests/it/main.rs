mod errors;
