import { lazy, Suspense, useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import { refusals } from '#contract/shared/refusals.ts'
import { reloadToNewest } from '#web/device/appWorker.ts'
import { forgetDrivenSession, storeDrivenSession } from '#web/device/drivenSession.ts'
import { fillsScreen } from '#web/device/fullscreen.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { useConnectionState } from '#web/live/useLive.ts'
import { appText } from '#web/text/app.ts'
import { driveText } from '#web/text/drive.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Cockpit } from './Cockpit.tsx'
import { DriveNotice } from './DriveNotice.tsx'
import { useDrive } from './useDrive.ts'

const RefusedChange = lazy(async () => ({
  default: (await import('./RefusedChange.tsx').catch(reloadWhenReachable)).RefusedChange,
}))

/** States in which this device does not drive the session and never will again. */
const overStates = ['ended', 'not-the-driver', 'removed', 'not-found']

/** The screen in the car. */
export function DriveScreen() {
  const { teamId = '', sessionId = '' } = useParams()
  const drive = useDrive(sessionId)
  const connection = useConnectionState()
  const navigate = useNavigate()
  const teamPath = `/teams/${teamId}`
  const refused = (
    <Suspense>
      <RefusedChange sessionId={sessionId} />
    </Suspense>
  )
  usePageTitle(driveText.page)
  useEscape(teamPath)
  const { state } = drive
  useEffect(() => {
    if (state === 'driving') storeDrivenSession({ teamId, sessionId })
    else if (overStates.includes(state)) forgetDrivenSession(sessionId)
  }, [state, teamId, sessionId])

  if (connection.status === 'closed' && connection.reason === 'outdated') {
    return (
      <DriveNotice
        teamPath={teamPath}
        text={appText.outdated}
        action={{ label: appText.reload, act: () => void reloadToNewest() }}
      />
    )
  }
  switch (drive.state) {
    case 'loading':
      return (
        <DriveNotice
          teamPath={null}
          text={driveText.loading}
          offline={connection.status === 'lost'}
        />
      )
    case 'driving':
      return <Cockpit sessionId={sessionId} driver={drive.driver} />
    case 'ended':
      return (
        <DriveNotice
          teamPath={teamPath}
          text={refusals['session-ended'].sentence}
          action={{ label: driveText.newSession, act: () => void navigate(`${teamPath}/new`) }}
        >
          {refused}
        </DriveNotice>
      )
    case 'not-the-driver':
      return <DriveNotice teamPath={teamPath} text={refusals['not-the-driver'].sentence} />
    case 'elsewhere':
      return (
        <DriveNotice
          teamPath={teamPath}
          text={driveText.elsewhere}
          action={{ label: driveText.driveHere, act: drive.retry }}
        />
      )
    case 'removed':
      return (
        <DriveNotice teamPath="/teams" text={driveText.removed}>
          {refused}
        </DriveNotice>
      )
    case 'not-found':
      return <DriveNotice teamPath="/teams" text={driveText.notFound} />
    case 'not-loaded':
      return (
        <DriveNotice
          teamPath={teamPath}
          text={driveText.notLoaded}
          offline={connection.status === 'lost'}
          action={{ label: appText.tryAgain, act: drive.retry }}
        />
      )
  }
}

/** Escape leads back to the team; in full screen the first press leaves full screen. */
function useEscape(to: string) {
  const navigate = useNavigate()
  useEffect(() => {
    const leave = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !fillsScreen()) void navigate(to)
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [navigate, to])
}
