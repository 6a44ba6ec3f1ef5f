/** The value that so much of all are not above. */
export function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
}

/** Of all, in percent. */
export function percent(values, isCounted) {
  return round((100 * values.filter(isCounted).length) / values.length);
}

export function round(value) {
  return Math.round(value * 100) / 100;
}

/** Not `Math.max(...values)`: that is a call with as many arguments. */
export function largest(values) {
  return round(values.reduce((most, value) => Math.max(most, value), 0));
}
