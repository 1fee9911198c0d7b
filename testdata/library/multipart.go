package library

import (
	"io"
	"mime/multipart"
	"net/http"
)

// MP1: the content type tells the boundary, which parts that are written meanwhile do not change.
func MP1_streamedForm(c *http.Client, params map[string]string) error {
	r, w := io.Pipe()
	form := multipart.NewWriter(w)
	go func() {
		defer w.Close()
		for k, v := range params {
			form.WriteField(k, v) // norace
		}
		form.Close() // norace
	}()
	resp, err := c.Post("http://localhost", form.FormDataContentType(), r) // norace
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// MP1b: a part is written while others are.
func MP1b_writtenByBoth(params map[string]string) {
	form := multipart.NewWriter(io.Discard)
	go func() {
		for k, v := range params {
			form.WriteField(k, v) // race! _
		}
	}()
	form.WriteField("last", "") // race! _
}
