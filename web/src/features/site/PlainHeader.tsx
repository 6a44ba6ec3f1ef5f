import type { ReactNode } from "react";
import { Logo } from "@/shared/ui/Logo";
import styles from "./PlainHeader.module.css";

/** The head of the pages that have one thing to do: the logo, and what they put at the other end. */
export function PlainHeader({ children }: { children?: ReactNode }) {
  return (
    <header className={styles.header}>
      <Logo />
      {children}
    </header>
  );
}
