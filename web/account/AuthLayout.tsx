import type { ReactNode } from 'react'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { BarGap, BarLink, LogoLink } from '#web/ui/Bar.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Poster } from '#web/ui/Poster.tsx'
import styles from './AuthLayout.module.css'

interface Props {
  title: string
  sub?: ReactNode
  /** Content above the heading. */
  intro?: ReactNode
  children: ReactNode
}

/** A form on the left; from 1024 px also a board with the eight message words on the right. */
export function AuthLayout({ title, sub, intro, children }: Props) {
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header className={styles.bar}>
          <LogoLink to="/auth/sign-in" label={appText.product} />
          <BarGap />
          <BarLink to="/privacy" target="_blank">
            {authText.privacy}
          </BarLink>
        </header>
        <main className={styles.main} data-intro={intro ? true : undefined}>
          {intro}
          <PageHead title={title} sub={sub} />
          {children}
        </main>
      </div>
      <div className={styles.art}>
        <Poster />
      </div>
    </div>
  )
}

/** A note below a form with a link to another screen. */
export function Aside({ children }: { children: ReactNode }) {
  return <p className={styles.aside}>{children}</p>
}
