/** The words about emails that say how much is waiting. */
export const digest = {
  name: "Email me",
  more: "Once a day at most, only when something new has come. It says how much is waiting, and nothing else.",
  on: "We’ll email you when something is waiting",
  off: "No more emails",
  end: {
    title: "Stop these emails",
    heading: "Emails",
    small: "once a day at most",
    lead: "They say how much is waiting for you. Would you like to stop them?",
    submit: "Stop the emails",
    ended: "You won’t get these emails anymore. You can turn them back on in your settings.",
  },
};
