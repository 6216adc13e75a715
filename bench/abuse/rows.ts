import type { Attack } from './attacks.ts'
import type { Fill } from './fill.ts'

export interface Row {
  name: string
  attack: Attack
  type?: 'Abort'
  /** Stored for the attacker's team before. */
  fill?: Fill
  /** The attack itself must be allowed: a row whose calls are all refused measures nothing. */
  isAllowed?: true
}

/** Floods, each at a rate that was found to hurt. */
const floods: Row[] = [
  { name: 'nothing', attack: { do: 'nothing' } },
  { name: 'watch 5×35/s', attack: { do: 'subscribe', connections: 5, perSecond: 35 } },
  { name: 'watch 12×40/s', attack: { do: 'subscribe', connections: 12, perSecond: 40 } },
  { name: 'watch 50×44/s', attack: { do: 'subscribe', connections: 50, perSecond: 44 } },
  { name: 'log 2/s', attack: { do: 'log', perSecond: 2 } },
  { name: 'log 10/s', attack: { do: 'log', perSecond: 10 } },
  { name: 'log 25/s', attack: { do: 'log', perSecond: 25 } },
  { name: 'messages 47/s', attack: { do: 'messages', perSecond: 47 } },
  { name: 'upgrades 270/s', attack: { do: 'upgrades', perSecond: 270 } },
  { name: 'calls 1000/s, ABORT', attack: { do: 'calls', perSecond: 1000 }, type: 'Abort' },
  { name: 'anonymous 50/s', attack: { do: 'anonymous', perSecond: 50 } },
  { name: 'uploads 60×5 MB', attack: { do: 'uploads', count: 60 } },
  { name: 'fixes 50×45/s', attack: { do: 'fixes', connections: 50, perSecond: 45 } },
]

const ofSession = (...calls: string[]) => calls.map(call => `${call}?sessionId={session}`)
const ofTeam = (...calls: string[]) => calls.map(call => `${call}?teamId={team}`)

/** Expensive things that are allowed, at the rates at which they are allowed. */
const allowed: Row[] = [
  { name: 'one recording', fill: { what: 'laps', recordings: 1 }, attack: { do: 'nothing' } },
  { name: 'four recordings', fill: { what: 'laps', recordings: 4 }, attack: { do: 'nothing' } },
  {
    name: 'reads of laps 4/s',
    fill: { what: 'laps', recordings: 1 },
    attack: { do: 'reads', perSecond: 4, paths: ofSession('laps.list', 'carRaces.ofSession') },
    isAllowed: true,
  },
  {
    name: 'files of laps 4/s',
    fill: { what: 'laps', recordings: 1 },
    attack: {
      do: 'reads',
      perSecond: 4,
      paths: ['v1/sessions/{session}/laps.csv', 'v1/export.zip'],
    },
    isAllowed: true,
  },
  {
    name: 'everything at its bound',
    fill: { what: 'everything' },
    attack: { do: 'nothing' },
  },
  {
    name: 'reads at the bound 20/s',
    fill: { what: 'everything' },
    attack: {
      do: 'reads',
      perSecond: 20,
      paths: [
        ...ofSession('laps.list', 'carRaces.ofSession', 'messages.log', 'circuits.ofSession'),
        ...ofTeam('teams.members', 'teams.invited', 'roster.get', 'races.list', 'rulePacks.list'),
        ...ofTeam('joinCodes.list', 'joinCodes.waiting'),
        'timing.ofRace?raceId={race}',
        ...ofTeam('circuits.list', 'sessions.listActive', 'sessions.list', 'files.list'),
        'sessions.list?teamId={team}&search=recording',
        'v1/sessions/{session}/messages.csv',
      ],
    },
    isAllowed: true,
  },
  { name: 'tags as a circuit', attack: { do: 'circuits', perSecond: 2, file: 'tags' } },
  { name: 'numbers as a circuit', attack: { do: 'circuits', perSecond: 2, file: 'numbers' } },
  { name: 'keys as a circuit', attack: { do: 'circuits', perSecond: 2, file: 'keys' } },
  {
    name: 'openapi.json',
    attack: { do: 'reads', perSecond: 1, paths: ['openapi.json'] },
    isAllowed: true,
  },
  { name: 'pages 2900/s', attack: { do: 'pages', perSecond: 2900 } },
]

const allRows: readonly Row[] = [...floods, ...allowed]

/** Returns the rows whose name contains one of these parts, separated by commas. Throws if no name contains a part. */
export function rowsWith(parts: string): readonly Row[] {
  const wanted = parts.split(',')
  const unknown = wanted.filter(part => !allRows.some(({ name }) => name.includes(part)))
  if (unknown.length > 0) {
    const names = allRows.map(({ name }) => name).join('; ')
    throw new Error(`No row of abuse has a name with: ${unknown.join(', ')}. Rows: ${names}`)
  }
  return allRows.filter(({ name }) => wanted.some(part => name.includes(part)))
}
