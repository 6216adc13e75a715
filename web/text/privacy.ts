import { invitationDays, teamHistoryDays } from '#contract/shared/lifetimes.ts'

interface Section {
  title: string
  lines: readonly string[]
}

export const privacyText = {
  title: 'Privacy',
  sub: 'What Pitboard stores, who sees it, and how to delete it.',
  driving: {
    title: 'While you drive',
    lines: [
      'Your phone sends its position, speed and direction about once a second while the drive screen is open, and never otherwise. It also sends the state of its battery, screen, network and location service.',
      'Without a network, positions are stored on the phone and sent later.',
    ],
  } satisfies Section as Section,
  stored: (days: string): Section => ({
    title: 'What is stored, and for how long',
    lines: [
      `Positions: ${days} days, unless you delete them earlier.`,
      'Sessions, messages and the times at which they were delivered, and lap times: as long as the team exists. Laps are not timed if the team turns it off for a session.',
      'Your account: your email address, your name, your passkeys, and for each browser or device that is signed in its kind and its last use. No passwords.',
      'If you joined with a code: your name, and no email address until you add one. You are signed in on that device only, and the account ends when you are in no team any more.',
      `Your team: its name, members, logo and photos; for ${teamHistoryDays} days who invited, removed or renamed; invitations, with the name and email address that were typed, for ${invitationDays} days.`,
      'IP addresses are used to limit requests. They are not stored with your account.',
    ],
  }),
  seen: {
    title: 'Who sees it',
    lines: [
      'The members of your team see its sessions, positions, laps and messages, and the names and email addresses of its members. An invited person sees only the name of the team and of the member who invited them. So does whoever has a valid code of the team; its members see the name and the kind of device of a person who waits.',
      'Whoever runs this server can read its database. Pitboard has no advertising and no analytics, and sends nothing to other companies by itself, except to Google if you sign in with it.',
    ],
  } satisfies Section as Section,
  support: {
    none: [],
    'built-in': [
      'A support agent sees your page only after you have agreed, and only until you end it.',
    ],
    openreplay: [
      'Support: an OpenReplay server that the operator has chosen records the pages you open in Pitboard, but not what you type. Its agents can watch. They use your page or save a recording only after you have agreed.',
    ],
  } as Readonly<Record<'none' | 'built-in' | 'openreplay', readonly string[]>>,
  deletion: {
    title: 'How to delete it',
    lines: [
      "Positions of one session: on the page of the session's messages. All your positions, in all teams: in the profile menu. They are deleted at once and for everybody. Lap times stay, unless you choose to delete those of the session too, or the team turns its lap timing off.",
      'A team with everything in it: its owner deletes it on the page of its members.',
      'Your account, with all your positions: in the profile menu. Sessions and messages of teams that you shared with others stay, without your name. You can export your data there first.',
      'Your membership: leave the team on the page of its members. The last member who leaves deletes the team.',
    ],
  } satisfies Section as Section,
  cookies: {
    title: 'Cookies',
    lines: [
      'Pitboard sets cookies to keep you signed in, to protect forms, and to recognise a browser in which you have signed in before. None of them follows you to other sites.',
    ],
  } satisfies Section as Section,
  failed: 'The settings of this server did not load',
  loading: 'Loading',
}
