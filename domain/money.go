package domain

// Paise is an amount of money: a hundredth of a rupee. Money is never a float.
type Paise int64

// Rupee is 100 paise.
const Rupee Paise = 100
