import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { remembersAny, watchKept } from "@/shared/conversations/kept";

const Answers = lazy<ComponentType<{ isShort: boolean }>>(() =>
  import("./Answers").then(
    ({ Answers }) => ({ default: Answers }),
    // The next page tries again.
    () => ({ default: () => null }),
  ),
);

/**
 * In the header: how many answers are new in the conversations that this device remembers. Its code is loaded where
 * there are any. `isShort`: on a phone there is only space for the number.
 */
export function AnswersMark({ isShort = false }: { isShort?: boolean }) {
  const [remembers, setRemembers] = useState(false);
  useEffect(() => {
    const look = () => setRemembers(remembersAny());
    look();
    return watchKept(look);
  }, []);
  return <Suspense>{remembers && <Answers isShort={isShort} />}</Suspense>;
}
