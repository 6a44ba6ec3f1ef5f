import { useState } from "react";

/** A value, and when there is none the one before: what closes is drawn with what it was opened for. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
