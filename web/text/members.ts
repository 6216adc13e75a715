import { restoreDays } from '#contract/shared/lifetimes.ts'

export const membersText = {
  title: 'Your Team',
  heading: 'Members',
  loading: 'Loading members',
  failed: 'The members did not load',
  invite: 'Invite',
  inviteText: 'Add a member to your team',

  rename: 'Team name',
  renameText: 'Change it for everybody',
  renamed: (name: string) => `The team is called ${name} now.`,

  logo: 'Team logo',
  logoText: 'A picture instead of three letters',
  logoShown: "Shown next to the team's name.",
  photo: 'Your photo',
  photoShown: 'Shown next to your name in this team.',
  choose: 'Choose a picture',
  chooseAnother: 'Choose another picture',
  removePicture: 'Remove',
  pictureSaved: 'Picture saved',
  pictureRemoved: 'Picture removed',

  leave: 'Leave team',
  leaveTitle: (team: string) => `Leave ${team}?`,
  leaveText:
    'You will no longer see its sessions. Your phone stops sending to an active session, which the owner can end. Your pending invitations are withdrawn. To come back, a member has to invite you.',
  leaveLastText: `You are its only member, so the team is deleted with its sessions, messages and positions. For ${restoreDays} days you can restore it on the page of your teams.`,
  stay: 'Stay',
  left: (team: string) => `You left ${team}.`,
  leaveFailed: 'You are still in the team',

  history: 'History',
  historyText: 'Who changed what in this team',

  deleteTeam: 'Delete team',
  deleteTitle: (team: string) => `Delete ${team}?`,
  deleteText: `It disappears for all members at once, with its sessions, messages and positions. For ${restoreDays} days you can restore it on the page of your teams. After that it is removed for good.`,
  typeName: "Type the team's name to confirm",
  deleted: (team: string) =>
    `${team} was deleted. You can restore it here for ${restoreDays} days.`,

  owner: 'Owner',
  viewer: 'Viewer',
  viewOnly: 'You can watch this team. Its owner can make you a member.',
  makeMember: 'Make a member',
  makeViewer: 'Watch only',
  handOver: 'Hand the team over',
  handOverTitle: (name: string) => `Hand the team over to ${name}?`,
  handOverText:
    'They remove members and change roles from then on, and you become a member. Only they can give the team back.',
  keepOwnership: 'Keep it',
  roleChanged: {
    owner: (name: string) => `${name} owns the team now.`,
    member: (name: string) => `${name} can send messages and drive.`,
    viewer: (name: string) => `${name} can watch, and changes nothing.`,
  },
  roleFailed: 'Role not changed',
  removeMember: 'Remove',
  removeTitle: (name: string) => `Remove ${name} from the team?`,
  removeText:
    'They lose access to the team at once. Their phone stops sending to an active session, which you can end. Their pending invitations are withdrawn. They can be invited again.',
  keepMember: 'Keep',
  removed: (name: string) => `${name} is no longer in the team.`,
  removeFailed: 'Member not removed',
  actions: (name: string) => `Actions for ${name}`,

  waiting: 'Invited',
  sendAgain: 'Send again',
  withdraw: 'Withdraw',
  withdrawn: (name: string) => `The invitation of ${name} was withdrawn.`,
  withdrawFailed: 'Invitation not withdrawn',
  notMailed: 'Invited without an email',
  notMailedText: (name: string) =>
    `${name} has reached the daily limit of invitation emails, but will see the invitation after signing in.`,

  invitePage: 'Invite User',
  inviteTitle: 'Invite User',
  inviteSub: 'Invite a new user to join your team',
  firstName: 'First Name',
  firstNameMissing: 'Enter a first name.',
  lastName: 'Last Name',
  lastNameMissing: 'Enter a last name.',
  email: 'Email',
  emailExample: 'name@example.com',
  emailIncomplete: 'Enter a complete email address.',
  invited: 'Invite sent',
  invitedText: (name: string) => `${name} will get an email.`,
  inviteFailed: 'Invite not sent',
}
