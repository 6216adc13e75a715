import { CalendarClock, CirclePlay } from 'lucide-react'
import { useStoredCarRace } from '#web/race/useStoredCarRace.ts'
import { lapsText } from '#web/text/laps.ts'
import { BarLink } from '#web/ui/Bar.tsx'
import { ExportMenu } from './ExportMenu.tsx'

/** Shows the links of the laps' bar: the race of the car, the replay of the session, and its files. */
export function ReplayLink({ teamId, sessionId }: { teamId: string; sessionId: string }) {
  const { data } = useStoredCarRace(sessionId)
  const racePath = data?.race ? `/${data.race.id}${data.car ? `?car=${data.car.id}` : ''}` : ''
  return (
    <>
      <BarLink to={`/teams/${teamId}/races${racePath}`}>
        <CalendarClock aria-hidden />
        {lapsText.race}
      </BarLink>
      <BarLink to={`/teams/${teamId}/${sessionId}/laps/replay`}>
        <CirclePlay aria-hidden />
        {lapsText.replay}
      </BarLink>
      <ExportMenu sessionId={sessionId} />
    </>
  )
}
