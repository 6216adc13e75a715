import { refusalText } from '#web/api/refusalText.ts'
import { Button } from './Button.tsx'
import typography from './theme/typography.module.css'

interface Props {
  list: {
    error: unknown
    hasNextPage: boolean
    isFetchNextPageError: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
  }
  /** Label of the button. */
  more: string
  /** Why the next page is missing, before the reason. */
  failed: string
}

/** The end of a list that is loaded by pages: a button for the next page, and why it failed to load. */
export function MorePages({ list, more, failed }: Props) {
  return (
    <>
      {list.isFetchNextPageError && (
        <p role="alert" className={typography.sub}>
          {failed} {refusalText(list.error)}
        </p>
      )}
      {list.hasNextPage && (
        <Button
          variant="quiet"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {more}
        </Button>
      )}
    </>
  )
}
