import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { driveText } from '#web/text/drive.ts'
import styles from './DriveScreen.module.css'
import { useFocus } from './useFocus.ts'

interface Props {
  /** Target of the back link; null while loading. */
  teamPath: string | null
  text: string
  action?: { label: string; act: () => void }
  /** The server is unreachable. */
  offline?: boolean
  /** Below the text. */
  children?: ReactNode
}

/** The black screen shown when the session cannot be driven. */
export function DriveNotice({ teamPath, text, action, offline = false, children }: Props) {
  const screen = useRef<HTMLElement>(null)
  useFocus(screen)
  return (
    <main ref={screen} className={styles.drive} tabIndex={-1}>
      <div className={styles.notice}>
        <output>{text}</output>
        {children}
        {action && (
          <button type="button" onClick={action.act}>
            {action.label}
          </button>
        )}
        {teamPath !== null && <Link to={teamPath}>{driveText.backToTeam}</Link>}
      </div>
      {offline && (
        <p className={styles.line} data-online={false}>
          {driveText.offline}
        </p>
      )}
    </main>
  )
}
