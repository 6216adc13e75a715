import type { KnownType } from '#contract/shared/messageTypes.ts'

/** How messages and lap times are read aloud in one language. */
export interface Spoken {
  readonly words: Record<KnownType, string>
  /** A lap time with tenths: minutes, whole seconds, tenths. Without minutes below a minute. */
  readonly lapTime: (minutes: number, seconds: number, tenths: number | null) => string
  /** Read when the voice is turned on. */
  readonly sample: string
}

function times(point: string) {
  return (minutes: number, seconds: number, tenths: number | null) =>
    [
      minutes > 0 ? String(minutes) : '',
      // "One oh five" is misheard as fifteen without the zero.
      minutes > 0 && seconds < 10 ? `0 ${seconds}` : String(seconds),
      tenths === null ? '' : `${point} ${tenths}`,
    ]
      .filter(Boolean)
      .join(' ')
}

/** Codes of race control and the team stay English: everybody in the paddock uses them. */
const codes = { FCY: 'full course yellow', SC: 'safety car', 'Code 60': 'code 60' }

/** By the tag of a language. A voice of any other language is not offered. */
export const spokenText = {
  en: {
    words: {
      Easy: 'easy',
      Go: 'go',
      Push: 'push',
      Pit: 'pit, pit',
      Fuel: 'fuel',
      Abort: 'abort, abort',
      ...codes,
    },
    lapTime: times('point'),
    sample: 'Voice on',
  },
  de: {
    words: {
      Easy: 'langsam',
      Go: 'los',
      Push: 'Gas',
      Pit: 'Box, Box',
      Fuel: 'Sprit',
      Abort: 'Abbruch, Abbruch',
      ...codes,
    },
    lapTime: times('Komma'),
    sample: 'Stimme an',
  },
  fr: {
    words: {
      Easy: 'doucement',
      Go: 'allez',
      Push: 'attaque',
      Pit: 'box, box',
      Fuel: 'essence',
      Abort: 'abandon, abandon',
      ...codes,
    },
    lapTime: times('virgule'),
    sample: 'Voix activée',
  },
  nl: {
    words: {
      Easy: 'rustig',
      Go: 'gaan',
      Push: 'gas',
      Pit: 'box, box',
      Fuel: 'brandstof',
      Abort: 'afbreken, afbreken',
      ...codes,
    },
    lapTime: times('komma'),
    sample: 'Stem aan',
  },
} satisfies Record<string, Spoken>
