/** The answer of `/api/user/pay`: the fields of a form for `url`, or a link that `url` repeats. */
export interface Payment {
  data: Readonly<Record<string, string>> | { pay_link: string }
  url: string
}

/** Leads to the payment page. A form opens a new tab, so that the wallet stays open; a link is followed in this one. */
export function openPayment({ data, url }: Payment): void {
  if (!isSafe(url)) return
  if ('pay_link' in data) {
    window.location.assign(url)
    return
  }
  const form = Object.assign(document.createElement('form'), {
    action: url,
    method: 'POST',
    target: '_blank',
    rel: 'noopener',
  })
  for (const [name, value] of Object.entries(data)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

function isSafe(url: string): boolean {
  return /^https?:\/\//i.test(url)
}
