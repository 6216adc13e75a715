import type { ReactNode } from 'react'
import { appText } from '#web/text/app.ts'
import { Bar, BarLogo, LogoLink } from './Bar.tsx'
import { Wrap } from './Wrap.tsx'

interface Props {
  /** Where the app's name leads; without it, it is no link. */
  to?: '/' | '/teams'
  children: ReactNode
}

/** A page whose bar has only the app's name. */
export function LogoPage({ to, children }: Props) {
  const label = to === '/' ? appText.product : appText.home
  return (
    <>
      <Bar>{to === undefined ? <BarLogo /> : <LogoLink to={to} label={label} />}</Bar>
      <Wrap>{children}</Wrap>
    </>
  )
}
