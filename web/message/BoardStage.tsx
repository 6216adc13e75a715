import type { MessageType } from '#contract/messages.ts'
import type { Exit } from '#web/race/useExit.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { pitExitText } from '#web/text/pitExit.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { ageText } from '#web/ui/ages.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import { FittedWord } from '#web/ui/board/FittedWord.tsx'
import { Word } from '#web/ui/board/Word.tsx'
import { type Delivery, isOnScreen, lateAfterMs, type Press } from './delivery.ts'
import styles from './MessageScreen.module.css'

interface WordProps extends Pick<Press, 'colour'> {
  type: MessageType
  ask?: boolean | undefined
  /** True once the driver's screen shows it. */
  isSolid: boolean
}

/** The word of a message. The stylesheet has the sizes of all words but questions and words of the team. */
export function MessageWord({ type, ask = false, colour, isSolid }: WordProps) {
  const variant = isSolid ? 'solid' : 'hollow'
  const text = ask ? answersText.question(type) : type
  if (!ask && colour === undefined)
    return (
      <Word key={type} variant={variant} fit="board">
        {text}
      </Word>
    )
  return (
    <div className={styles.question}>
      <FittedWord variant={variant} breaks>
        {text}
      </FittedWord>
    </div>
  )
}

/** Says that the driver's screen shows the word, or that it is late. */
export function OnGlass({ delivery }: { delivery: Delivery }) {
  if (isOnScreen(delivery)) return <span className={styles.onGlass}>{messageText.isOnGlass}</span>
  const isLate = 'ageMs' in delivery && delivery.ageMs >= lateAfterMs
  return isLate && <span className={styles.warning}>{messageText.notOnGlass}</span>
}

/** The race is over: in place of a word. Orders are sent until the session ends. */
function RaceIsOver({ isReached }: { isReached: boolean }) {
  return (
    <>
      {raceClockText.over}
      {isReached && <small>{raceClockText.stillReached}</small>}
    </>
  )
}

/** The car has left the pits early, or without a stop. */
function PitExit({ exit: { word, measured, at }, nowMs }: { exit: Exit; nowMs: number }) {
  return (
    <>
      <AnswerPlate kind="early">{word}</AnswerPlate>
      <small>{pitExitText.ago(measured, ageText(nowMs - at))}</small>
    </>
  )
}

interface WithoutWordProps {
  exit: Exit | null
  isRaceOver: boolean
  isReached: boolean
  nowMs: number
}

/** In place of a word: an early pit exit, the end of the race, or that there is no message. */
export function WithoutWord({ exit, isRaceOver, isReached, nowMs }: WithoutWordProps) {
  if (exit !== null) return <PitExit {...{ exit, nowMs }} />
  return isRaceOver ? <RaceIsOver isReached={isReached} /> : messageText.noMessage
}
