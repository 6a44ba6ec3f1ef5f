import * as limit from "@/shared/contract/limits";

/** The words of the forms for an account. */
export const account = {
  signUp: {
    heading: "Hello",
    small: "my name is",
    lead: "Your username becomes your link. Everything else about you stays out of it.",
    username: {
      label: "Username",
      hint: `${limit.USERNAME_MIN} to ${limit.USERNAME_MAX} letters, digits, - or _. Anyone with your link sees it.`,
    },
    email: { label: "Email", hint: "We only email you links for your account, unless you ask for more." },
    password: { label: "Password", hint: `At least ${limit.SIGNUP_PASSWORD_MIN} characters.` },
    age: (years: string) => `I am ${years} or older`,
    agree: "What you agree to, and what’s kept of you:",
    submit: "Create account",
    invitation: {
      label: "Invitation",
      hint: "Paste the link you were sent.",
    },
    closed: {
      heading: "Closed",
      small: "for now",
      lead: "No new accounts here for now. Notes and groups need none.",
    },
    haveAccount: "Already have an account?",
    done: "User Account Created",
    welcome: (name: string) => `Welcome, ${name}! Your link is ready.`,
    welcomeByMail: (name: string) =>
      `Welcome, ${name}! Your email works too once you’ve opened the link we sent you.`,
  },
  login: {
    heading: "Hello",
    small: "again",
    lead: "See what people left for you.",
    identifier: "Username or email",
    submit: "Sign in",
    forgot: "Forgot your password?",
    noAccount: "No account yet?",
    done: "User Logged In",
    needsCookies:
      "Signing in needs cookies and site data. Allow both in your browser’s settings, then try again.",
    forThisPage: "User Logged In. Your browser doesn’t keep site data, so reloading will sign you out.",
  },
  reset: {
    title: "Reset your password",
    heading: "Forgot it?",
    small: "it happens",
    lead: "Enter your account’s email, and we’ll send you a link to choose a new password.",
    submit: "Send link",
    back: "Back to sign in",
  },
  resetConfirm: {
    title: "Choose a new password",
    heading: "Fresh start",
    small: "new password",
    lead: "Choose a new password. You’ll have to sign in again on all your devices.",
    submit: "Save password",
    doneMore: "Now sign in with it.",
    another: "Get a new link",
  },
  confirm: {
    title: "Confirm your email",
    asks: (name: string) => ({
      heading: "Is this account yours?",
      small: name,
      lead: `If you created ${name}, say yes. Then you can sign in with this address, and reset your password if you ever forget it. If you didn’t, say no: someone else entered your address.`,
    }),
    yes: "Yes, it’s mine",
    no: "No, it isn’t mine",
    done: "Email confirmed",
    doneMore: "You can now sign in with it.",
    refused: "Email not confirmed",
    refusedMore: "The link no longer works.",
  },
};
