import { Download } from 'lucide-react'
import { Fragment } from 'react'
import { useParams } from 'react-router'
import type { LoggedMessage } from '#contract/messages.ts'
import { useMe } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useServerClock } from '#web/live/useLive.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { driverAt, hasNamedDrivers } from '#web/race/driverAt.ts'
import { answersText } from '#web/text/answers.ts'
import { logText } from '#web/text/log.ts'
import { teamAnswersText } from '#web/text/teamAnswers.ts'
import { Button } from '#web/ui/Button.tsx'
import { grouped } from '#web/ui/grouped.ts'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import { DeletePositions } from './DeletePositions.tsx'
import { isExpired } from './delivery.ts'
import { Expiry } from './Expiry.tsx'
import styles from './LogScreen.module.css'
import { RenameSession } from './RenameSession.tsx'
import { tapToShown } from './tapToShown.ts'
import { useLog } from './useLog.ts'

/** Every message of a session with its sender, time and delivery state. */
export function LogScreen() {
  const { teamId = '', sessionId = '' } = useParams()
  const { session, log, race, hasEarlier, earlier } = useLog(sessionId)
  const me = useMe()
  const viewer = useIsViewer(teamId)
  const ended = session?.status === 'Complete'
  return (
    <SubPage
      page={logText.page}
      sub={log.data && <Figures log={log.data} />}
      {...(ended
        ? { backTo: `/teams/${teamId}`, back: logText.toTeam }
        : { backTo: `/teams/${teamId}/${sessionId}/message`, back: session?.name ?? logText.back })}
      lead=""
    >
      <Stack>
        <LinkButton variant="quiet" narrow to={`/teams/${teamId}/${sessionId}/laps`}>
          {logText.laps}
        </LinkButton>
        <section aria-labelledby="log">
          <SectionHead id="log" title={logText.heading} remark={ended ? session.name : undefined} />
          {log.data ? (
            <>
              <Lines log={log.data} race={race} />
              {earlier.error && (
                <p role="alert" className={typography.sub}>
                  {logText.earlierFailed} {refusalText(earlier.error)}
                </p>
              )}
              {hasEarlier && (
                <Button variant="quiet" busy={earlier.isPending} onClick={() => earlier.mutate()}>
                  {logText.earlier}
                </Button>
              )}
            </>
          ) : (
            <NotLoaded
              query={log}
              loading={logText.loading}
              failed={logText.failed}
              detailPx={210}
            />
          )}
        </section>
        {log.data && log.data.length > 0 && (
          <a
            className={styles.csv}
            href={`/api/v1/sessions/${sessionId}/messages.csv`}
            download="messages.csv"
          >
            <Download aria-hidden />
            {logText.csv}
          </a>
        )}
        {session && <Expiry session={session} />}
        {session && !viewer && <RenameSession session={session} />}
        {session?.driver.id === me.id && <DeletePositions sessionId={sessionId} />}
      </Stack>
    </SubPage>
  )
}

function Figures({ log }: { log: readonly LoggedMessage[] }) {
  const figures = tapToShown(log)
  if (!figures) return null
  return logText.tapToShown(
    grouped(figures.count),
    secondsText(figures.medianMs),
    secondsText(figures.p95Ms),
  )
}

interface LinesProps {
  log: readonly LoggedMessage[]
  /** Undefined until it has loaded. */
  race: CarRace | undefined
}

function Lines({ log, race }: LinesProps) {
  const serverNow = useServerClock()
  if (log.length === 0) return <p className={typography.sub}>{logText.none}</p>
  const now = serverNow()
  return (
    <Rows labelledBy="log">
      {log.map(entry => {
        const word = wordOf(entry)
        const driver =
          race && entry.sentAt !== null && hasNamedDrivers(race)
            ? driverAt(race, entry.sentAt)
            : null
        return (
          <Row
            key={entry.version}
            plate={<ThreeLetterPlate name={word} quiet />}
            title={
              <>
                {word}
                {(entry.sentBy || entry.obeyed) && (
                  <span className={typography.sub}> {logText.by(senderOf(entry))}</span>
                )}
                {driver && <span className={typography.sub}> {logText.to(driver)}</span>}
              </>
            }
            detail={<Stages texts={stagesOf(entry, now)} />}
            figures={
              entry.pressedAt !== null &&
              entry.shownAt !== null &&
              !entry.carriedOver &&
              secondsText(entry.shownAt - entry.pressedAt)
            }
          />
        )
      })}
    </Rows>
  )
}

/** The word of a message, with a question mark if it asks. Version 0 is the state before the first message. */
function wordOf({ type, ask, version }: LoggedMessage): string {
  if (version === 0) return logText.beforeFirst
  const word = type?.toUpperCase() ?? logText.cleared
  return ask ? answersText.question(word) : word
}

/** Delivery stages next to each other, each unwrapped. */
function Stages({ texts }: { texts: readonly string[] }) {
  return (
    <span className={styles.stages}>
      {texts.map((text, index) => (
        <Fragment key={text}>
          {index > 0 && ' · '}
          <span>{text}</span>
        </Fragment>
      ))}
    </span>
  )
}

/** The known delivery stages in their order. */
function stagesOf(entry: LoggedMessage, nowMs: number): string[] {
  const { sentAt, reachedAt, shownAt, copiedAt, carriedOver } = entry
  return [
    ...(carriedOver ? [logText.carriedOver] : []),
    ...(sentAt === null ? [] : [logText.sent(timeText(sentAt))]),
    ...(reachedAt === null ? [] : [logText.reached(timeText(reachedAt))]),
    ...(entry.version === 0
      ? []
      : shownAt === null
        ? [isExpired(entry, nowMs) ? logText.notDelivered : logText.notShown]
        : [logText.shown(timeText(shownAt))]),
    ...(copiedAt === null ? [] : [logText.copied(timeText(copiedAt))]),
    ...(entry.answers ?? []).map(({ kind, at }) =>
      teamAnswersText.at(answersText.word(kind), timeText(at)),
    ),
  ]
}

function senderOf({ sentBy, byPlan, obeyed }: LoggedMessage): string {
  if (obeyed) return logText.obeyed
  if (byPlan) return logText.plan
  if (!sentBy) return ''
  return [sentBy.firstName, sentBy.lastName].filter(Boolean).join(' ') || (sentBy.email ?? '')
}

const tenths = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

function secondsText(ms: number): string {
  return logText.seconds(tenths.format(Math.max(0, ms) / 1000))
}

function timeText(at: number): string {
  return timeFormat.format(at)
}
