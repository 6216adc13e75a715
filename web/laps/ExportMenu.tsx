import { FileDown, FileText } from 'lucide-react'
import { download } from '#web/device/download.ts'
import { lapsText } from '#web/text/laps.ts'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { wholeNumber } from '#web/ui/wholeNumber.ts'

interface Props {
  sessionId: string
  /** Exports this lap instead of the session, with its own number in the session; null exports all of it. */
  lap?: { number: number; own: number } | null
}

const files = ['laps.csv', 'positions.csv', 'track.gpx', 'track.vbo', 'racechrono.csv'] as const

/** Downloads the positions and laps of a session, or of one lap, as a file. */
export function ExportMenu({ sessionId, lap = null }: Props) {
  const title = lap === null ? lapsText.exportSession : lapsText.exportLap(wholeNumber(lap.number))
  return (
    <Menu
      label={title}
      button={<FileDown aria-hidden />}
      title={title}
      detail={lapsText.exportHint}
    >
      {files.map(file => (
        <MenuItem
          key={file}
          icon={<FileText size={20} aria-hidden />}
          onChoose={() =>
            download(
              `/api/v1/sessions/${sessionId}/${file}${lap === null ? '' : `?lap=${lap.own}`}`,
            )
          }
        >
          {lapsText.files[file]}
        </MenuItem>
      ))}
    </Menu>
  )
}
