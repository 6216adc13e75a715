import { answerTo, type KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import { stopOf } from '#contract/shared/onGlass.ts'
import { isInStop } from '#web/race/isInStop.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { ageText } from '#web/ui/ages.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import { toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import styles from './AgedMessage.module.css'

interface Props {
  message: Message
  answers: Pick<KnownAnswers, 'reply'>
  race: CarRace | undefined
  /** The driver's report. A problem is shown beside it. */
  report: Answer | null
  nowMs: number
}

/** A message that is not on the driver's screen: answered, obeyed, or replaced by a stop; and what is there instead. */
export function AgedMessage(props: Props) {
  const { message, answers, race, report, nowMs } = props
  const given = answerTo(message.version, answers.reply)
  const stop = stopOf(message, race?.visits ?? [])
  const at = given?.at ?? stop?.startedAt ?? message.sentAt ?? nowMs
  const glass = isInStop(race) ? 'stop' : 'laps'
  const word = messageText.plate(message.type)
  return (
    <div className={styles.aged}>
      <p className={`${styles.line} ${tones.toned}`} data-tone={toneOf(message) ?? undefined}>
        <b className={styles.word}>{message.ask ? answersText.question(word) : word}</b>
        {given ? (
          <AnswerPlate kind={given.kind}>{answersText.word(given.kind)}</AnswerPlate>
        ) : (
          stop && <span>{messageText.obeyed}</span>
        )}
        <span>{messageText.ago(ageText(Math.max(0, nowMs - at)))}</span>
      </p>
      {report?.kind !== 'Problem' && (
        <p className={styles.glass}>{messageText.onGlass(messageText.glass[glass])}</p>
      )}
    </div>
  )
}
