const express = require('express');

const app = express();

app.get('/', (_, response) => response.type('text/plain').send('Hi'));
app.listen(Number(process.env.PORT), process.env.HOST);
