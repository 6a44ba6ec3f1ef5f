import { useState } from "react";
import { useSubmission } from "./useSubmission";

/** What is wrong with a form, by field. Empty: nothing. */
type Errors<Name extends string> = Partial<Record<Name, string>>;

type Options = {
  /** What is in the way of sending it from the start. */
  before?: () => string;
  /** A sentence is about all fields: whichever is typed in, it may be right now. */
  asOne?: boolean;
};

export function useForm<Name extends string>(
  empty: Record<Name, string>,
  check: (fields: Record<Name, string>) => Errors<Name>,
  send: (fields: Record<Name, string>) => Promise<unknown>,
  { asOne = false, before }: Options = {},
) {
  const [fields, setFields] = useState(empty);
  const [errors, setErrors] = useState<Errors<Name>>({});
  const submission = useSubmission(() => {
    const wrong = check(fields);
    setErrors(wrong);
    return Object.keys(wrong).length === 0 && send(fields);
  }, before);

  const write = (name: Name, value: string) => setFields((before) => ({ ...before, [name]: value }));
  const field = (name: Name) => ({
    error: errors[name],
    ...(asOne && { invalid: Object.keys(errors).length > 0 }),
    name,
    onValue: (value: string) => {
      write(name, value);
      setErrors(asOne ? {} : { ...errors, [name]: undefined });
    },
    value: fields[name],
  });

  return { field, write, submission };
}
