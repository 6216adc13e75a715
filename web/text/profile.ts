import { part } from './text.ts'

export const profileText = part('profile', {
  menu: 'Your profile',
  anonymous: 'Not signed in with an email',
  editName: 'Edit name',
  signOut: 'Sign out',
  signOutFailed: 'You are still signed in',
  unsentTitle: 'Sign out?',
  unsentText: (count: number) =>
    count === 1
      ? '1 position is not sent yet. Sign out and delete it?'
      : `${count} positions are not sent yet. Sign out and delete them?`,
  staySignedIn: 'Stay signed in',
  signOutAndDelete: 'Sign out and delete',

  deletePositions: 'Delete my positions',
  deleteTitle: 'Delete all your positions?',
  deleteText:
    'Wherever you drove, in every team and session, is deleted for everyone and cannot be brought back.',
  keepPositions: 'Keep them',
  deleted: 'Positions deleted',
  deletedText: (count: string) => `${count} were stored.`,
  deleteFailed: 'Not deleted',

  nameTitle: 'Your name',
  firstName: 'First Name',
  firstNameMissing: 'Enter a first name.',
  lastName: 'Last Name',
  lastNameMissing: 'Enter a last name.',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Name changed',
  savedText: (name: string) => `Your teams now see you as ${name}.`,
})
