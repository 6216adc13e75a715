import { ExportMenu } from '#web/laps/ExportMenu.tsx'
import { ReplayScreen } from '#web/replay/ReplayScreen.tsx'

/** The replay of a session, with the files of the session or of the current lap. */
export function Replay() {
  return <ReplayScreen renderExport={shown => <ExportMenu {...shown} />} />
}
