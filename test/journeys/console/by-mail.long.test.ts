import { describeMails } from './by-mail.ts'

describeMails({ title: 'in English on a desk', language: 'en' })
