import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type SpeechEngine, Voice } from './voice.ts'

type Utterance = Pick<SpeechSynthesisUtterance, 'text' | 'lang' | 'volume' | 'voice'> & {
  onstart: (() => void) | null
  onend: (() => void) | null
  onerror: ((event: { error: string }) => void) | null
}

const ana = { voiceURI: 'ana', name: 'Ana', lang: 'de-DE' } as SpeechSynthesisVoice

/** A speech engine that records utterances. Each begins, fails, or stays silent as the test decides. */
function phone(stored: Record<string, string> = {}) {
  const spoken: Utterance[] = []
  let onVoices = () => {}
  let voices: SpeechSynthesisVoice[] = []
  const engine: SpeechEngine = {
    speak: utterance => void spoken.push(utterance as unknown as Utterance),
    cancel: () => spoken.at(-1)?.onerror?.({ error: 'interrupted' }),
    getVoices: () => voices,
    addEventListener: (_type, listener) => {
      onVoices = listener
    },
  }
  const create = () =>
    new Voice({
      engine,
      utter: text => ({ text, volume: 1 }) as SpeechSynthesisUtterance,
      store: {
        getItem: key => stored[key] ?? null,
        setItem: (key, value) => {
          stored[key] = value
        },
      },
    })
  return {
    spoken,
    stored,
    create,
    setVoices(loaded: SpeechSynthesisVoice[]) {
      voices = loaded
      onVoices()
    },
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('it is off by default, and speaks nothing', () => {
  const { create, spoken } = phone()
  const voice = create()
  expect(voice.state).toBe('off')
  voice.prime()
  voice.speak('pit', 'en')
  vi.advanceTimersByTime(1000)
  expect(spoken).toEqual([])
})

test('turning it on speaks a sample at once, and is kept on the phone', () => {
  const { create, spoken, stored } = phone()
  const voice = create()
  voice.toggle('Voice on', 'en')
  expect(voice.state).toBe('asked')
  expect(spoken.map(({ text }) => text)).toEqual(['Voice on'])
  spoken[0]!.onstart!()
  expect(voice.state).toBe('works')
  const reloaded = phone(stored).create()
  expect(reloaded.state).toBe('asked')
  reloaded.toggle('Voice on', 'en')
  expect(reloaded.state).toBe('off')
})

test('a text follows the tone, and a newer one replaces it', () => {
  const { create, spoken } = phone({ 'pitboard.voice': 'on' })
  const voice = create()
  voice.speak('push', 'en')
  expect(spoken).toEqual([])
  vi.advanceTimersByTime(100)
  voice.speak('pit, pit', 'en')
  vi.advanceTimersByTime(300)
  expect(spoken).toMatchObject([{ text: 'pit, pit', lang: 'en', volume: 1 }])
  spoken[0]!.onstart!()
  voice.speak('abort', 'en')
  expect(voice.state).toBe('works')
})

test('a speech engine that fails is reported, and used again once it speaks', () => {
  const { create, spoken } = phone({ 'pitboard.voice': 'on' })
  const voice = create()
  voice.prime()
  expect(spoken).toMatchObject([{ text: ' ', volume: 0 }])
  vi.advanceTimersByTime(4000)
  expect(voice.state).toBe('silent')
  voice.prime()
  spoken[1]!.onend!()
  expect(voice.state).toBe('works')
  voice.speak('pit', 'en')
  vi.advanceTimersByTime(300)
  spoken[2]!.onerror!({ error: 'synthesis-failed' })
  expect(voice.state).toBe('silent')
})

test('the chosen voice is kept, and used once the browser has loaded it', () => {
  const made = phone({ 'pitboard.voice': 'on' })
  const voice = made.create()
  const changes = vi.fn<() => void>()
  voice.onChange(changes)
  made.setVoices([ana])
  expect(changes).toHaveBeenCalledOnce()
  voice.choose('ana', 'Stimme an', 'de')
  expect(made.spoken.at(-1)).toMatchObject({ text: 'Stimme an', voice: ana, lang: 'de-DE' })
  expect(made.create().chosen).toBe('ana')
})

test('a browser without speech synthesis has no voice', () => {
  const voice = new Voice({
    engine: undefined,
    utter: () => expect.unreachable(),
    store: { getItem: () => 'on', setItem: () => {} },
  })
  voice.toggle('Voice on', 'en')
  voice.speak('pit', 'en')
  vi.advanceTimersByTime(1000)
  expect(voice.state).toBe('unsupported')
})
