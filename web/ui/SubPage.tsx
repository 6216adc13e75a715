import type { ReactNode } from 'react'
import { appText } from '#web/text/app.ts'
import { BackLink, Bar, BarGap } from './Bar.tsx'
import { PageHead } from './PageHead.tsx'
import { usePageTitle } from './usePageTitle.ts'
import { Wrap } from './Wrap.tsx'

export interface SubPageProps {
  /** Title of the page in the browser. */
  page: string
  /** Its heading, if that is another one. */
  title?: ReactNode
  sub?: ReactNode
  /** Path and name of the page that the back link opens. */
  backTo: string
  back: ReactNode
  /** Screen readers read it before that name. */
  lead?: string
  /** The right side of the bar. */
  bar?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** A page below another one, with a link back. */
export function SubPage(props: SubPageProps) {
  const { page, title = page, sub, backTo, back, lead = appText.backTo, bar, wide = false } = props
  usePageTitle(page)
  return (
    <>
      <Bar>
        <BackLink to={backTo} lead={lead}>
          {back}
        </BackLink>
        <BarGap />
        {bar}
      </Bar>
      <Wrap wide={wide}>
        <PageHead title={title} sub={sub} />
        {props.children}
      </Wrap>
    </>
  )
}
