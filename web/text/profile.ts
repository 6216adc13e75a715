export const profileText = {
  /** Contains the letters on the button: people with speech control say what they see. */
  menu: (initials: string) => `${initials}: your profile`,
  anonymous: 'Not signed in with an email',
  editName: 'Edit name',
  signOut: 'Sign out',
  signOutFailed: 'You are still signed in',
  unsentTitle: 'Sign out?',
  unsentText: (positions: number, changes: number) => {
    const found = [
      positions > 0 && (positions === 1 ? '1 position' : `${positions} positions`),
      changes > 0 && (changes === 1 ? '1 driver change' : `${changes} driver changes`),
    ].filter(Boolean)
    return positions + changes === 1
      ? `${found.join('')} is not sent yet. Sign out and delete it?`
      : `${found.join(' and ')} are not sent yet. Sign out and delete them?`
  },
  onlyHereText:
    'You are signed in on this device only. To come back, a member has to show you a code and let you in under the same name. With an email you could sign in anywhere.',
  staySignedIn: 'Stay signed in',
  signOutAndDelete: 'Sign out and delete',

  notifications: 'Notifications',
  deletePositions: 'Delete my positions',
  deleteTitle: 'Delete all your positions?',
  deleteText:
    'Your positions in every team and session are deleted for everyone and cannot be restored. Lap times are kept.',
  keepPositions: 'Keep them',
  deleted: 'Positions deleted',
  deletedText: (count: string) => `${count} in total.`,
  deletedSoFar: (count: string) => `${count} so far. The rest follows within minutes.`,
  deleteFailed: 'Not deleted',

  devices: 'Signed-in devices',
  devicesText: 'Browsers and devices that are signed in as you.',
  devicesLoading: 'Loading devices',
  devicesFailed: 'The devices did not load',
  thisDevice: 'This device',
  someBrowser: 'Unknown browser',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  signedInAt: (day: string) => `Signed in ${day}`,
  usedAt: (used: string, signedIn: string) => `Last used ${used}. Signed in ${signedIn}`,
  newToken: 'New token for a device',
  mayDrive: 'may report positions',
  mayRead: 'may read',
  maySend: 'may send messages',
  mayTime: 'may send official timing',
  endOne: (name: string) => `Sign out ${name}`,
  endTitle: (name: string) => `Sign out ${name}?`,
  endOthers: 'Sign out everywhere else',
  endOthersTitle: 'Sign out all other browsers?',
  endAll: 'Sign out everywhere, devices too',
  endAllTitle: 'Sign out all other browsers and devices?',
  endText: 'Access ends at once. A phone or logger that is driving goes offline for its team.',
  ended: (name: string) => `${name} is signed out.`,
  endedCount: (count: number) => (count === 1 ? '1 is signed out.' : `${count} are signed out.`),
  endFailed: 'Not signed out',

  addEmail: 'Add email',
  addEmailTitle: 'Add an email',
  addEmailText:
    'You are signed in on this device only. With an email you can sign in anywhere, and you keep everything. A code is sent to it.',
  sendCode: 'Send code',
  codeText: 'Enter the code. It is valid for 10 minutes.',
  noEmail: 'Signed in on this device only',
  changeEmail: 'Change email',
  emailTitle: 'Change email',
  emailText: (email: string) =>
    `You sign in with ${email}. Two codes are sent: one to this address, one to the new one.`,
  newEmail: 'New email',
  newEmailMissing: 'Enter a complete email address.',
  sendCodes: 'Send codes',
  codesText:
    'Enter both codes within ten minutes. You stay signed in on all devices. Invitations to the old address are not shown any more.',
  codeSentTo: (email: string) => `Code sent to ${email}`,
  codeMissing: 'Enter the code.',
  emailChanged: 'Email changed',
  emailChangedText: (email: string) => `You sign in with ${email} from now on.`,
  passkeys: 'Passkeys',
  exportData: 'Export my data',
  deleteAccount: 'Delete account',
  privacy: 'Privacy',

  nameTitle: 'Your name',
  firstName: 'First Name',
  firstNameMissing: 'Enter a first name.',
  lastName: 'Last Name',
  lastNameMissing: 'Enter a last name.',
  saved: 'Name changed',
  savedText: (name: string) => `Your teams now see you as ${name}.`,
}
