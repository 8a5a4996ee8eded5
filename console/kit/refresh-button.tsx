import { IconRefresh } from '@arco-design/web-react/icon'
import { IconButton } from './icon-button.tsx'

/** At the right of a page's title: reads what is shown anew. */
export function RefreshButton({
  label,
  isRefreshing,
  onClick,
}: {
  label: string
  isRefreshing?: boolean
  onClick(): void
}) {
  return (
    <IconButton icon={<IconRefresh />} label={label} loading={isRefreshing} onClick={onClick} />
  )
}
