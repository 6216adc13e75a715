import { List, Timer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { messageText } from '#web/text/message.ts'
import styles from './LiveNav.module.css'

interface Props {
  /** URL of the session. */
  path: string
  /** Further keys; none for viewers. */
  children?: ReactNode
}

/** Below the board, at every size: the laps, the message log, and what else the session has. */
export function LiveNav({ path, children }: Props) {
  return (
    <nav className={styles.nav} aria-label={messageText.nav}>
      <Link to={`${path}/laps`}>
        <Timer aria-hidden />
        {messageText.laps}
      </Link>
      <Link to={`${path}/log`}>
        <List aria-hidden />
        {messageText.log}
      </Link>
      {children}
    </nav>
  )
}
