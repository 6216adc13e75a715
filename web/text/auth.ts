import { part } from './text.ts'

export const authText = part('auth', {
  email: 'Email',
  emailExample: 'name@example.com',
  emailIncomplete: 'Enter a complete email address.',
  firstName: 'First Name',
  firstNameMissing: 'Enter a first name.',
  lastName: 'Last Name',
  lastNameMissing: 'Enter a last name.',
  orContinueWith: 'Or continue with',
  google: 'Google',

  signInPage: 'Sign in',
  signInTitle: 'Sign in to your account',
  signIn: 'Sign In',
  newHere: 'New to Pitboard?',
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
  wrongAddress: 'Wrong address?',
  startAgain: 'Start again',
  signedIn: (email: string) => `Succesfully signed in as ${email}`,

  sentPage: 'Verification sent',
  sentTitle: 'Verification Sent',
  /** The email address goes between the two parts. */
  sentBefore: 'A verification Email has been sent to',
  yourAddress: 'your email address',
  sentAfter: ". Once you've verified your email, you will be able to sign-in",
})

declare module './text.ts' {
  interface Text {
    readonly auth: typeof authText
  }
}
