import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";

type Props = { label: string; className: string | undefined; children: ReactNode };

/** A part of the app to look at. Its code is fetched when it is about to come into view. */
export function Sample({ label, className, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);

  useEffect(() => {
    if (!place.current) return undefined;
    const watch = new IntersectionObserver(
      (entries) => setNear((was) => was || entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: "50%" },
    );
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);

  return (
    <div aria-label={label} className={className} ref={place} role="img">
      <Suspense>{isNear && <div inert>{children}</div>}</Suspense>
    </div>
  );
}
