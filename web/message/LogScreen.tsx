import { Download, Timer } from 'lucide-react'
import { useParams } from 'react-router'
import type { LoggedMessage } from '#contract/messages.ts'
import { eventName } from '#contract/teamEvents.ts'
import { useMe } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { SessionBack } from '#web/race/SessionBack.tsx'
import { useDataLinkLog } from '#web/race/useDataLinkLog.ts'
import { logText } from '#web/text/log.ts'
import { useGlassLog } from '#web/timing/useGlassLog.ts'
import { BarLink } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { grouped } from '#web/ui/grouped.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import { DeletePositions } from './DeletePositions.tsx'
import { Expiry } from './Expiry.tsx'
import { LogLines } from './LogLines.tsx'
import styles from './LogScreen.module.css'
import { RenameSession } from './RenameSession.tsx'
import { tapToShown } from './tapToShown.ts'
import { useLog } from './useLog.ts'

/** Every message of a session with its sender, time and delivery state. */
export function LogScreen() {
  const { teamId = '', sessionId = '' } = useParams()
  const { session, log, race, hasEarlier, earlier } = useLog(sessionId)
  const { data: glass } = useGlassLog(sessionId)
  const { data: dataLink } = useDataLinkLog(sessionId)
  const me = useMe()
  const viewer = useIsViewer(teamId)
  const ended = session?.status === 'Complete'
  return (
    <SubPage
      page={logText.page}
      sub={log.data && <Figures log={log.data} />}
      {...(ended
        ? { backTo: `/teams/${teamId}`, back: logText.toTeam }
        : {
            backTo: `/teams/${teamId}/${sessionId}/message`,
            back: session ? <SessionBack session={session} /> : logText.back,
          })}
      lead=""
      bar={
        <BarLink to={`/teams/${teamId}/${sessionId}/laps`}>
          <Timer aria-hidden />
          {logText.laps}
        </BarLink>
      }
    >
      <Stack>
        <section aria-labelledby="log">
          <SectionHead
            id="log"
            title={logText.heading}
            remark={ended ? eventName({ name: session.name, car: session.car?.number }) : undefined}
          />
          {log.data ? (
            <>
              <LogLines {...{ log: log.data, glass, dataLink, race, hasEarlier }} />
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

const tenths = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

function secondsText(ms: number): string {
  return logText.seconds(tenths.format(Math.max(0, ms) / 1000))
}
