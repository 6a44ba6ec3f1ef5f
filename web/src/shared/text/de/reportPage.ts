import type { ReportPageText } from "../reportPageText";

export const reportPage: ReportPageText = {
  receipt: {
    keep: "Mit dieser Nummer siehst du hier, ob sich jemand deine Meldung angesehen hat:",
    heading: "Deine Meldung",
    label: "Nummer",
    submit: "Nachsehen, wie es steht",
    states: {
      waits: "Sie wartet noch.",
      looked_at: "Jemand hat sie angesehen.",
      closed: "Sie ist erledigt.",
      unknown: "Keine Meldung hat diese Nummer, oder sie ist schon gelöscht.",
    },
  },

  heading: "Melden",
  small: "hier stimmt etwas nicht",
  lead: "Melde eine Seite, die gegen die Regeln verstößt, denen, die diese Website betreiben. Dafür brauchst du kein Konto, und niemand erfährt, dass du es warst.",
  link: "Seite oder Link",
  linkHint: "Die Adresse einer persönlichen Seite, einer Antwort darauf oder einer Gruppe.",
  linkWrong: "Das ist keine Adresse einer Seite, die man hier melden kann.",
  conversation: "Öffne das Gespräch und melde es über sein Menü.",
  why: "Was ist nicht in Ordnung?",
  submit: "Meldung abschicken",
  danger: "Wenn jemand in Gefahr ist, ruf den örtlichen Notruf an.",
};
