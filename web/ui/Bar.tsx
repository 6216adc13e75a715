import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import styles from './Bar.module.css'
import gears from './gears.module.css'
import { Logo } from './Logo.tsx'

/** The bar of an ordinary page: what leads back on the left, the rest pushed to the right by `BarGap`. */
export function Bar({ children }: { children: ReactNode }) {
  return <header className={styles.bar}>{children}</header>
}

export function BarGap() {
  return <span className={styles.gap} />
}

/** A link of the bar: an icon and its label. */
export function BarLink(props: LinkProps) {
  return <Link {...props} className={styles.link} />
}

interface BackProps {
  to: string
  /** Where it leads. */
  children: ReactNode
  /** Read out before the place: "Back to". */
  lead?: string
}

/** The link to the page above this one. */
export function BackLink({ to, children, lead }: BackProps) {
  return (
    <Link to={to} className={styles.link} data-back>
      <ChevronLeft aria-hidden />
      <span className={styles.label}>
        {lead && <span className={gears.hidden}>{lead} </span>}
        {children}
      </span>
    </Link>
  )
}

/** The name of the app where there is nowhere to go. */
export function BarLogo() {
  return (
    <span className={styles.logo}>
      <Logo />
    </span>
  )
}

interface LogoLinkProps {
  to: string
  label: string
  /** Below 600 px the mark alone: for bars that carry two links. */
  short?: boolean
}

export function LogoLink({ to, label, short = false }: LogoLinkProps) {
  return (
    <Link to={to} className={styles.logo} aria-label={label}>
      <Logo short={short} />
    </Link>
  )
}
