import { z } from 'zod';

// Must come before the first schema is made: zod looks once, and its look (`new Function`) is a violation of the page's
// policy already.
z.config({ jitless: true });
