export const authText = {
  email: 'Email',
  emailExample: 'name@example.com',
  emailIncomplete: 'Enter a complete email address.',
  firstName: 'First Name',
  firstNameMissing: 'Enter a first name.',
  lastName: 'Last Name',
  lastNameMissing: 'Enter a last name.',
  orContinueWith: 'Or continue with',
  google: 'Google',
  passkey: 'Passkey',
  passkeySignIn: 'Sign in with a passkey',
  passkeyNotUsed: 'No passkey was used. Try again, or sign in with a code.',

  attachTitle: (name: string) => `You are ${name} in this browser`,
  attachText:
    'You joined by a code, without an email. Is the email that you sign in with yours as this person?',
  attachYes: (name: string) => `Yes, add it to ${name}`,
  attachNo: 'No, sign in to another account',
  attachNoText: (name: string) =>
    `Then nobody is signed in as ${name} any more: a member has to show a new code.`,

  /** The picture above the sign-in, which introduces the app. */
  picture: "PIT on the driver's phone, shown after 0.2 s",
  pictureWord: 'Pit',
  pictureReceipt: 'Shown after 0.2 s',
  claim: "Your team sends one word. It fills the driver's phone, and you see when it is there.",

  invitedTo: (by: string | null, team: string) =>
    by === null ? `You are invited to ${team}.` : `${by} invited you to ${team}.`,

  signInPage: 'Sign in',
  signInTitle: 'Sign in to your account',
  signIn: 'Sign In',
  newHere: 'New to Pitboard?',
  otherWays: 'Without an account',
  toJoin: 'Join a team with a code',
  toCheck: 'Check this phone',
  toSignUp: 'Sign up',

  signUpPage: 'Sign up',
  signUpTitle: 'Create a free account',
  signUp: 'Sign Up',
  privacy: 'Privacy',
  haveAccount: 'Already have an account?',
  toSignIn: 'Sign in',

  codePage: 'One-time code',
  codeTitle: 'Enter One-Time-Code',
  codeSub: 'Enter the one-time-code sent to your inbox',
  code: 'One-time Code',
  complete: 'Complete',
  noEmailInAddress: 'Your email address is missing from this page.',
  codeNotThere: 'No email after a minute?',
  sendNewCode: 'Send a new code',
  newCodeTitle: 'Code sent',
  newCodeSent: (email: string) => `A new code is on its way to ${email}.`,
  newCodeFailed: 'Code not sent',
  codeSentTo: (email: string) => `Sent to ${email}. Wrong address?`,
  startAgain: 'Start again',
  signedIn: (email: string) => `Succesfully signed in as ${email}`,

  sentPage: 'Verification sent',
  sentTitle: 'Verification Sent',
  /** The email address goes between the two parts. */
  sentBefore: 'A verification Email has been sent to',
  yourAddress: 'your email address',
  sentAfter: ". Once you've verified your email, you will be able to sign-in",
}
