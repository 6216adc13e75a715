import { CalendarClock, CirclePlay } from 'lucide-react'
import { lapsText } from '#web/text/laps.ts'
import { BarLink } from '#web/ui/Bar.tsx'
import { ExportMenu } from './ExportMenu.tsx'

/** Shows the links of the laps' bar: the plan of the race, the replay of the session, and its files. */
export function ReplayLink({ teamId, sessionId }: { teamId: string; sessionId: string }) {
  return (
    <>
      <BarLink to={`/teams/${teamId}/${sessionId}/plan`}>
        <CalendarClock aria-hidden />
        {lapsText.plan}
      </BarLink>
      <BarLink to={`/teams/${teamId}/${sessionId}/laps/replay`}>
        <CirclePlay aria-hidden />
        {lapsText.replay}
      </BarLink>
      <ExportMenu sessionId={sessionId} />
    </>
  )
}
