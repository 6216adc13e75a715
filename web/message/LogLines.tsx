import { ChevronDown } from 'lucide-react'
import type { Answer } from '#contract/answers.ts'
import type { OutputOf } from '#contract/api.ts'
import type { ShownFlag } from '#contract/glass.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import type { LoggedDataLink } from '#contract/sessions.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { driverAt, hasNamedDrivers } from '#web/race/driverAt.ts'
import { personName } from '#web/race/driverName.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { answersText } from '#web/text/answers.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { glassText } from '#web/text/glass.ts'
import { logText } from '#web/text/log.ts'
import { messageText } from '#web/text/message.ts'
import { flagTone } from '#web/timing/figures.ts'
import flagTones from '#web/timing/flagTones.module.css'
import { tookText } from '#web/ui/ages.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import { toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import { clock, clockTenths } from '#web/ui/dates.ts'
import typography from '#web/ui/theme/typography.module.css'
import { pressedAtOf, storedDelivery } from './delivery.ts'
import { deliveryLine } from './deliveryLine.ts'
import { gotItText } from './gotItText.ts'
import styles from './LogLines.module.css'
import { logRows, replyIn } from './logRows.ts'
import { withOtherRows } from './otherRows.ts'

interface Props {
  log: readonly LoggedMessage[]
  /** Official timing on the glass; undefined until it has loaded. */
  glass: OutputOf<'glass.log'> | undefined
  /** Switches of the data link; undefined until they have loaded. */
  dataLink: readonly LoggedDataLink[] | undefined
  /** True if older messages are not loaded. */
  hasEarlier: boolean
  /** Undefined until it has loaded. */
  race: CarRace | undefined
}

/** The messages and reports of a session: time, word and one result each. A row opens to all its times. */
export function LogLines({ log, glass, dataLink, hasEarlier, race }: Props) {
  const serverNow = useServerClock()
  const messages = logRows(log)
  const from = hasEarlier ? (messages.at(-1)?.at ?? null) : null
  const rows = withOtherRows(
    messages,
    { flags: glass?.flags ?? [], changes: glass?.changes ?? [], dataLink: dataLink ?? [] },
    from,
  )
  if (rows.length === 0) return <p className={typography.sub}>{logText.none}</p>
  const now = serverNow()
  const driverOf = (at: number | null) =>
    race && at !== null && hasNamedDrivers(race) ? driverAt(race, at) : null
  return (
    <ul className={styles.rows} aria-labelledby="log">
      {rows.map(row => (
        <li key={row.key}>
          {row.kind === 'report' && <Report answer={row.answer} driver={driverOf(row.at)} />}
          {row.kind === 'message' && (
            <Line entry={row.entry} at={row.at} driver={driverOf(row.entry.sentAt)} nowMs={now} />
          )}
          {row.kind === 'flag' && <Flag flag={row.flag} />}
          {row.kind === 'glass' && (
            <Change at={row.at} by={row.change.by}>
              {glassText.onGlass(row.change.parts.map(part => glassText.parts[part]))}
            </Change>
          )}
          {row.kind === 'link' && (
            <Change at={row.at} by={row.change.by}>
              {row.change.dataLink ? dataLinkText.isOnAgain : dataLinkText.isOff}
            </Change>
          )}
        </li>
      ))}
    </ul>
  )
}

interface LineProps {
  entry: LoggedMessage
  at: number
  driver: string | null
  nowMs: number
}

function Line({ entry, at, driver, nowMs }: LineProps) {
  const word = messageText.plate(entry.type)
  const people = [
    ...(entry.sentBy || entry.obeyed ? [logText.by(senderOf(entry))] : []),
    ...(driver ? [logText.to(driver)] : []),
  ].join(' ')
  return (
    <details className={styles.row}>
      <summary>
        <Time at={at} />
        <b
          className={`${styles.word} ${tones.toned}`}
          data-tone={toneOf(entry) ?? undefined}
          data-clear={entry.type === null || undefined}
        >
          {entry.ask ? answersText.question(word) : word}
        </b>
        <span className={styles.people}>{people}</span>
        <Result entry={entry} nowMs={nowMs} />
        <ChevronDown className={styles.chevron} aria-hidden />
      </summary>
      <Times entry={entry} at={at} people={people} />
    </details>
  )
}

function Report({ answer, driver }: { answer: Answer; driver: string | null }) {
  return (
    <div className={styles.row}>
      <div className={styles.head}>
        <Time at={answer.at} />
        <b className={styles.word} data-report>
          {answersText.word(answer.kind)}
        </b>
        <span className={styles.people}>{driver === null ? '' : logText.by(driver)}</span>
        {answer.gotIt && (
          <span className={styles.result}>{gotItText(answer.gotIt, answer.at)}</span>
        )}
      </div>
    </div>
  )
}

/** An official flag that was sent to the glass, and when it was painted. */
function Flag({ flag: { flag, at, shownAt, byHand } }: { flag: ShownFlag }) {
  return (
    <div className={styles.row}>
      <div className={styles.head}>
        <Time at={at} />
        <b
          className={`${styles.word} ${flagTones.toned}`}
          data-tone={flagTone(flag) ?? undefined}
          data-flag
        >
          {flag}
        </b>
        <span className={styles.people}>
          {byHand === undefined ? logText.by(glassText.control) : glassText.byHandOf(byHand)}
        </span>
        <span className={styles.result} data-level={shownAt === null ? 'bad' : undefined}>
          {shownAt === null
            ? logText.notShown
            : byHand === undefined
              ? glassText.shown(tookText(shownAt - at)) + glassText.afterControl
              : messageText.shown(tookText(shownAt - at))}
        </span>
      </div>
    </div>
  )
}

/** A setting that is true from this time on, and the member who chose it. */
function Change({ at, by, children }: { at: number; by: string | null; children: string }) {
  return (
    <div className={styles.row}>
      <div className={styles.head}>
        <Time at={at} />
        <span className={styles.wide}>
          {children}
          {by !== null && `, ${logText.by(by)}`}
        </span>
      </div>
    </div>
  )
}

function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
}

function Result({ entry, nowMs }: { entry: LoggedMessage; nowMs: number }) {
  const reply = replyIn(entry)
  if (reply)
    return (
      <span className={styles.result}>
        <AnswerPlate kind={reply.answer.kind}>{answersText.word(reply.answer.kind)}</AnswerPlate>{' '}
        {logText.after(tookText(reply.tookMs))}
      </span>
    )
  const delivery = storedDelivery(entry, nowMs)
  const isUnseen = delivery.stage === 'sent' || delivery.stage === 'reached'
  const { text, level } = deliveryLine(delivery)
  // A cleared screen that the driver has not seen hides no order.
  const isBad = isUnseen && entry.type !== null
  return (
    <span className={styles.result} data-level={isBad ? 'bad' : isUnseen ? undefined : level}>
      {isUnseen ? logText.notShown : text}
    </span>
  )
}

interface TimesProps {
  entry: LoggedMessage
  at: number
  people: string
}

/** The sender of a message, the time of its press, and each stage by its delay, as in its result and in the CSV. */
function Times({ entry, at, people }: TimesProps) {
  const { sentAt, reachedAt, shownAt, copiedAt, carriedOver } = entry
  const from = pressedAtOf(entry) ?? at
  const isPressed = from !== sentAt
  const times = [
    { label: isPressed ? logText.pressed : logText.sent, text: clockTenths.format(from) },
    ...[
      { label: logText.sent, at: isPressed ? sentAt : null },
      { label: logText.reached, at: reachedAt },
      { label: logText.shown, at: shownAt },
      { label: logText.copied, at: copiedAt },
      ...(entry.answers ?? []).map(({ kind, at: answeredAt }) => ({
        label: answersText.word(kind),
        at: answeredAt,
      })),
    ].flatMap(stage =>
      stage.at === null
        ? []
        : { label: stage.label, text: logText.later(tookText(stage.at - from)) },
    ),
  ]
  return (
    <dl className={styles.times}>
      {people !== '' && (
        <div>
          <dt>{logText.who}</dt>
          <dd>{people}</dd>
        </div>
      )}
      {times.map(({ label, text }) => (
        <div key={`${label} ${text}`}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
      {carriedOver && (
        <div>
          <dt>{logText.carriedOver}</dt>
          <dd>{logText.fromOtherPhone}</dd>
        </div>
      )}
    </dl>
  )
}

function senderOf({ sentBy, byPlan, obeyed }: LoggedMessage): string {
  if (obeyed) return logText.obeyed
  if (byPlan) return logText.plan
  return sentBy ? personName(sentBy) : ''
}
