// What an operator tells his visitors: a notice, an "about" page, chat clients, and a way to pay. Without it these screens are empty.
import type { App } from '../app.ts'

const about = `## Who runs this

A small team in Rotterdam. Write to <hello@example.com>, we answer within a day.`

const notice = `**Maintenance on Sunday, 02:00 to 03:00 UTC.** Calls keep working; the console may be away for a minute.`

export async function addSite({ root, url }: App): Promise<void> {
  const options = {
    About: about,
    Notice: notice,
    ServerAddress: url,
    PayAddress: 'https://pay.example.com',
    EpayId: '1001',
    EpayKey: 'merchant-key-of-the-demo',
  }
  for (const [key, value] of Object.entries(options)) await root.put('/api/option/', { key, value })
}
