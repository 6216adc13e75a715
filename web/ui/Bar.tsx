import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import styles from './Bar.module.css'
import { Logo } from './Logo.tsx'
import typography from './theme/typography.module.css'

/** The bar of an ordinary page: back link on the left; `BarGap` pushes the rest to the right. */
export function Bar({ children }: { children: ReactNode }) {
  return <header className={styles.bar}>{children}</header>
}

export function BarGap() {
  return <span className={styles.gap} />
}

/** A link in the bar: an icon and its label. */
export function BarLink(props: LinkProps) {
  return <Link {...props} className={styles.link} />
}

interface BackProps {
  to: string
  /** Name of the destination. */
  children: ReactNode
  /** Screen readers read it before the destination: "Back to". */
  lead?: string
}

/** Link to the parent page. */
export function BackLink({ to, children, lead }: BackProps) {
  return (
    <Link to={to} className={styles.link} data-back>
      <ChevronLeft aria-hidden />
      <span className={styles.label}>
        {lead && <span className={typography.hidden}>{lead} </span>}
        {children}
      </span>
    </Link>
  )
}

/** The app's name, on pages without a back link; `short`: only its mark below 600 px. */
export function BarLogo({ short = false }: { short?: boolean }) {
  return (
    <span className={styles.logo}>
      <Logo short={short} />
    </span>
  )
}

interface LogoLinkProps {
  to: string
  label: string
  /** Shows only the mark below 600 px: for bars with two links. */
  short?: boolean
}

export function LogoLink({ to, label, short = false }: LogoLinkProps) {
  return (
    <Link to={to} className={styles.logo} aria-label={label}>
      <Logo short={short} />
    </Link>
  )
}
