/** Why a page needs scripts, shown only where none run. */
export const scripts = {
  signUp: "Signing up needs JavaScript, and so does everything you’d do with your account.",
  login:
    "Signing in needs JavaScript: your browser keeps the sign-in in two halves, and only a script can put them together.",
  reset: "This form needs JavaScript, and so does signing in with the new password.",
  confirm:
    "Confirming needs JavaScript: opening the link alone confirms nothing, so you can open it again later.",
  feedback:
    "Feedback needs JavaScript: photos are shrunk on your device and lose their metadata before they’re sent.",
  account:
    "This page needs JavaScript: only a script can read your sign-in, which your browser keeps in two halves.",
  group:
    "A group needs JavaScript: messages travel over a live connection that only a script can open. You haven’t taken a seat.",
  conversation:
    "A conversation needs JavaScript: the key in its link stays in your browser, and only a script can use it.",
  tour: "Without JavaScript you only see the first page of this tour. The start page tells you the rest.",
};
