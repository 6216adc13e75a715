import type { TeamChangeKind } from '#contract/teamChanges.ts'
import type { TimingSource } from '#contract/timing.ts'

type WordChangeKind = Extract<TeamChangeKind, `word-${string}`>
/** Changes of what the team races with, which name it in `after`. */
type ThingChangeKind = Extract<
  TeamChangeKind,
  | `race-${string}`
  | `car-${string}`
  | `driver-${string}`
  | `circuit-${string}`
  | 'plan-changed'
  | 'stints-corrected'
  | `litres-${string}`
  | `phone-${string}`
  | `auto-pit-${string}`
  | `data-link-${string}`
  | 'lap-marked'
  | `clock-${string}`
  | `flag-${string}`
  | `place-${string}`
  | `source-${string}`
  | 'line-moved'
  | 'pit-lane-changed'
>
type PersonChangeKind = Exclude<TeamChangeKind, 'renamed' | WordChangeKind | ThingChangeKind>

type ThingSentence = (actor: string, name: string, before: string | null) => string
type Sentence = (actor: string, person: string) => string

/** True for a change of what the team races with. */
export function isThingChange(kind: TeamChangeKind): kind is ThingChangeKind {
  return kind in historyText.things
}

const sourceNames: Readonly<Record<string, string>> = {
  rmonitor: 'RMonitor',
  'race-monitor': 'Race Monitor',
  racehero: 'RaceHero',
  push: 'a program that sends it',
  recorded: 'a recorded file',
} satisfies Record<TimingSource['kind'], string>

export const historyText = {
  title: 'Team history',
  loading: 'Loading the history',
  failed: 'The history did not load',
  earlier: 'Show earlier changes',
  earlierFailed: 'The earlier changes did not load.',
  somebody: 'Somebody',
  renamed: (actor: string, before: string, after: string) =>
    `${actor} renamed ${before} to ${after}`,
  word: {
    'word-added': (actor: string, _: string, word: string) => `${actor} added the word ${word}`,
    'word-changed': (actor: string, before: string, after: string) =>
      before === after
        ? `${actor} changed the colour of the word ${after}`
        : `${actor} changed the word ${before} to ${after}`,
    'word-removed': (actor: string, word: string) => `${actor} deleted the word ${word}`,
  },
  noName: 'a circuit without a name',
  things: {
    'race-added': (actor, race) => `${actor} added the race ${race}`,
    'race-changed': (actor, race) => `${actor} changed the race ${race}`,
    'plan-changed': (actor, race) => `${actor} changed the plan of ${race}`,
    'race-started': (actor, race) => `${actor} started the race ${race}`,
    'race-over': (actor, race) => `${actor} ended the race ${race}`,
    'race-deleted': (actor, race) => `${actor} deleted the race ${race}`,
    'car-added': (actor, number) => `${actor} added car ${number}`,
    'car-removed': (actor, number) => `${actor} removed car ${number}`,
    'driver-added': (actor, name) => `${actor} added the driver ${name}`,
    'driver-removed': (actor, name) => `${actor} removed the driver ${name}`,
    'driver-changed': (actor, car, driver) =>
      driver === null
        ? `${actor} entered a driver. ${car}`
        : `${actor} entered the driver ${driver}. ${car}`,
    'stints-corrected': (actor, car) => `${actor} corrected the driver changes. ${car}`,
    'litres-entered': (actor, car, litres) => `${actor} entered ${litres} L. ${car}`,
    'litres-removed': (actor, car) => `${actor} removed a fill. ${car}`,
    'phone-chosen': (actor, car) => `${actor} chose the phone in the car. ${car}`,
    'phone-choice-undone': (actor, car) =>
      `${actor} took a choice of the phone in the car back. ${car}`,
    'lap-marked': (actor, car) => `${actor} changed which laps are marked yellow. ${car}`,
    'clock-changed': (actor, race) => `${actor} changed the clock of ${race}`,
    'clock-followed': (actor, race) => `${actor} let ${race} follow race control's clock`,
    'flag-entered': (actor, race, flag) => `${actor} entered the flag ${flag}. ${race}`,
    'flag-undone': (actor, race, flag) => `${actor} took the flag ${flag} back. ${race}`,
    'place-entered': (actor, car) => `${actor} entered place, gap or laps by hand. ${car}`,
    'place-undone': (actor, car) => `${actor} took an entry of place, gap or laps back. ${car}`,
    'source-set': (actor, race, source) =>
      `${actor} set the official timing of ${race} to ${sourceNames[source ?? ''] ?? ''}`,
    'source-removed': (actor, race) => `${actor} removed the official timing of ${race}`,
    'auto-pit-on': (actor, car) => `${actor} turned automatic PIT on. ${car}`,
    'auto-pit-off': (actor, car) => `${actor} turned automatic PIT off. ${car}`,
    'data-link-on': (actor, car) => `${actor} switched the data link on. ${car}`,
    'data-link-off': (actor, car) => `${actor} switched the data link off. ${car}`,
    'line-moved': (actor, circuit) => `${actor} moved the line of ${circuit}`,
    'pit-lane-changed': (actor, circuit) => `${actor} changed the pit lane of ${circuit}`,
    'circuit-reversed': (actor, circuit) => `${actor} reversed ${circuit}`,
    'circuit-renamed': (actor, circuit, before) =>
      before === null
        ? `${actor} named a circuit ${circuit}`
        : `${actor} renamed the circuit ${before} to ${circuit}`,
    'circuit-deleted': (actor, circuit) => `${actor} deleted ${circuit}`,
  } satisfies Record<ThingChangeKind, ThingSentence> as Record<ThingChangeKind, ThingSentence>,
  kinds: {
    created: actor => `${actor} created the team`,
    'logo-changed': actor => `${actor} changed the logo`,
    invited: (actor, person) => `${actor} invited ${person}`,
    'invitation-withdrawn': (actor, person) => `${actor} withdrew the invitation of ${person}`,
    'invitation-declined': actor => `${actor} declined the invitation`,
    'code-shown': actor => `${actor} showed a code to join`,
    'code-stopped': actor => `${actor} stopped a code to join`,
    'let-in': (actor, person) => `${actor} let ${person} in`,
    'turned-away': (actor, person) => `${actor} did not let ${person} in`,
    'taken-over': (actor, person) => `${actor} let ${person} in on a new device`,
    joined: actor => `${actor} joined`,
    left: actor => `${actor} left`,
    removed: (actor, person) => `${actor} removed ${person}`,
    'made-member': (actor, person) => `${actor} made ${person} a member`,
    'made-viewer': (actor, person) => `${actor} made ${person} a viewer`,
    'handed-over': (actor, person) => `${actor} handed the team over to ${person}`,
    deleted: actor => `${actor} deleted the team`,
    restored: actor => `${actor} restored the team`,
    'television-connected': (actor, name) => `${actor} connected the television ${name}`,
    'television-removed': (actor, name) => `${actor} disconnected the television ${name}`,
  } satisfies Record<PersonChangeKind, Sentence> as Partial<Record<PersonChangeKind, Sentence>>,
  /** For a kind that only a newer app knows. */
  otherChange: (actor: string) => `${actor} made a change that this version cannot name`,
}
