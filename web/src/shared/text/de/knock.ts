import type { KnockText } from "../knockText";

export const knock: KnockText = {
  door: {
    heading: "Klopf, klopf",
    small: "erst fragen",
    lead: (creator: string) => `In diese Gruppe lässt ${creator} alle einzeln hinein.`,
    sees: "Zu sehen ist nur, dass jemand vor der Tür steht, und ein Emoji.",
    action: "Anklopfen",
  },
  waiting: {
    heading: "Moment",
    small: "vor der Tür",
    lead: "Sobald dir jemand aufmacht, bist du drin. Du kannst die Seite neu laden, aber lass sie offen.",
    emoji: (emoji: string) => `Du bist ${emoji}`,
    hint: "Kennst du die Person, die die Gruppe erstellt hat? Dann sag ihr, welches Emoji du bist.",
  },
  declined: { heading: "Jetzt nicht", small: "abgelehnt", lead: "Du wurdest nicht hineingelassen." },
  lapsed: {
    heading: "Keine Antwort",
    small: "Zeit um",
    lead: "Niemand hat rechtzeitig aufgemacht.",
  },
  again: "Wieder anklopfen",
  list: {
    heading: "Vor der Tür",
    one: (emoji: string) => `${emoji} klopft an`,
    at: (emoji: string, room: string) => `${emoji} klopft an bei ${room}`,
    admit: "Hereinlassen",
    admitAll: "Alle hereinlassen",
    admitOne: (emoji: string) => `${emoji} hereinlassen`,
    decline: "Ablehnen",
    declineOne: (emoji: string) => `${emoji} ablehnen`,
    waiting: (count: number) => `${count} vor der Tür`,
  },
};
