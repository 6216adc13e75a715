import type { TeamChangeKind } from '#contract/teamChanges.ts'

/** Changes of words of the team. */
type WordChangeKind = Extract<TeamChangeKind, `word-${string}`>
type PersonChangeKind = Exclude<TeamChangeKind, 'renamed' | WordChangeKind>

type Sentence = (actor: string, person: string) => string

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
  } satisfies Record<PersonChangeKind, Sentence> as Record<PersonChangeKind, Sentence>,
}
