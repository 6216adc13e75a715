export const televisionsText = {
  title: 'Televisions',
  sub: 'A television shows the pit wall on a big screen. It can only read, and needs no account.',
  howTo: (address: string) => `Open ${address} on the television. It shows a code.`,
  connect: 'Connect a television',
  loading: 'Loading the televisions',
  failed: 'The televisions did not load',
  none: 'No television is connected.',
  allowedBy: (name: string, on: string) => `Connected by ${name}, ${on}`,
  somebody: 'somebody',
  used: (at: string) => `used ${at}`,
  /** A browser and its system, as far as they are known. */
  browser: ({ browser, system }: { browser: string | null; system: string | null }) =>
    browser !== null && system !== null
      ? `${browser} on ${system}`
      : (browser ?? system ?? 'Unknown browser'),
  disconnect: 'Disconnect',
  disconnectOf: (name: string) => `Disconnect ${name}`,
  disconnected: (name: string) => `${name} is disconnected`,
  notDisconnected: 'The television is still connected',
  viewOnly: 'You can only watch. The owner of the team can let you connect televisions.',

  allowTitle: 'Connect a television',
  allowSub: 'Enter the six digits that the television shows.',
  code: 'Code',
  codeMissing: 'Enter the six digits on the television',
  find: 'Continue',
  check: 'Is this your television?',
  checkText:
    'Continue only if a television in front of you shows this code. If somebody sent you it or a link, do not continue.',
  requested: (browser: string, time: string) => `${browser}, code requested at ${time}`,
  sameNetwork: 'It is on the same network as this device.',
  otherNetwork: 'It is on another network than this device.',
  rights:
    "It will show the team's cars, drivers, positions, laps and messages to everybody who sees its screen, until you disconnect it on the team's page. It can send nothing.",
  team: 'Team',
  noTeam: 'You are in no team that you may change. Ask the owner of the team.',
  name: 'Name of the television',
  nameExample: 'Garage',
  nameMissing: 'Enter a name.',
  allow: 'Show the pit wall',
  cancel: 'Cancel',
  allowed: (name: string, team: string) => `${name} shows the pit wall of ${team}`,
  allowedText: 'It appears on the screen within a few seconds.',

  tvTitle: 'Connect this screen to your team',
  scan: 'Scan this with the phone of a team member',
  orType: (address: string) => `or open ${address} and enter`,
  starting: 'Requesting a code',
  notStarted: 'The code did not load',
  signedInTitle: 'Pit wall on this screen',
  signedInSub: (name: string) => `This browser is signed in as ${name}. Choose a team.`,
  asAnother: 'To connect this screen without an account, sign out first.',
}
